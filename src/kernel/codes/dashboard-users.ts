import type { Code } from "./code.ts";

/** Refusals of the dashboard. Its pages show the meaning next to the field. */
export const DASHBOARD_USER_CODES = {
  dashboard_user_email_invalid: {
    id: "V13000",
    status: 400,
    meaning: "Enter an e-mail address such as `mere@shop.example`, up to 254 characters.",
  },
  dashboard_user_name_invalid: { id: "V13001", status: 400, meaning: "Enter 1 to 100 characters." },
  dashboard_user_password_invalid: {
    id: "V13002",
    status: 400,
    meaning: "Choose 12 to 256 characters that are neither your e-mail address nor your name.",
  },
  dashboard_user_role_invalid: {
    id: "V13003",
    status: 400,
    meaning: "Choose one of the roles that you can assign.",
  },
  dashboard_user_email_taken: {
    id: "V13004",
    status: 409,
    meaning: "A user has this e-mail address already.",
  },
  dashboard_sign_in_refused: {
    id: "V13010",
    status: 401,
    meaning: "The e-mail address or the password is wrong.",
  },
  dashboard_sign_in_too_often: {
    id: "V13011",
    status: 429,
    meaning: "Too many attempts. Wait as long as the page says, then try again.",
  },
  dashboard_second_factor_refused: {
    id: "V13012",
    status: 401,
    meaning: "This code is wrong or was used already. Codes change every 30 seconds.",
  },
  dashboard_link_invalid: {
    id: "V13013",
    status: 404,
    meaning: "This one-time link was used, is older than 24 hours, or never existed.",
  },
  dashboard_password_refused: {
    id: "V13014",
    status: 401,
    meaning: "This is not your current password.",
  },
  dashboard_form_refused: {
    id: "V13020",
    status: 403,
    meaning: "This form didn't come from a page of this session. Load the page again and resend the form.",
  },
  dashboard_role_missing: {
    id: "V13021",
    status: 403,
    meaning: "Your role doesn't allow this. Ask an administrator of the account.",
  },
  dashboard_last_operator: {
    id: "V13022",
    status: 409,
    meaning: "This is the last operator who can sign in. Add another operator first.",
  },
} as const satisfies Record<string, Code>;
