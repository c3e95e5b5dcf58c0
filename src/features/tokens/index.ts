export { tokenRoutes } from "./routes.ts";
