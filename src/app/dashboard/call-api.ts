import { routeRunner } from "../../platform/http/run-route.ts";
import { API_ROUTES } from "../routes.ts";

/** What an endpoint of the API does, by the operation's name, as whoever is signed in. */
export const callApi = routeRunner(API_ROUTES);
