export { payIdEmail } from "./payid.ts";
export { PayIdAnswer, PayIdBody } from "./wire.ts";
