export { payIdEmail, payIdValue } from "./payid.ts";
export { PayIdAnswer, PayIdBody } from "./wire.ts";
