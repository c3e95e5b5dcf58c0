import type { Code } from "./code.ts";

/** What the dashboard refuses of people who sign in. Its pages say the meaning beside the field. */
export const DASHBOARD_USER_CODES = {
  V13000: {
    message: "dashboard_user_email_invalid",
    status: 400,
    meaning: "An e-mail address such as `mere@shop.example`, up to 254 characters.",
  },
  V13001: { message: "dashboard_user_name_invalid", status: 400, meaning: "1 to 100 characters." },
  V13002: {
    message: "dashboard_user_password_invalid",
    status: 400,
    meaning: "12 to 256 characters, and neither your e-mail address nor your name.",
  },
  V13003: {
    message: "dashboard_user_role_invalid",
    status: 400,
    meaning: "One of the roles that you may give.",
  },
  V13004: {
    message: "dashboard_user_email_taken",
    status: 409,
    meaning: "There is a user with this e-mail address already.",
  },
  V13010: {
    message: "dashboard_sign_in_refused",
    status: 401,
    meaning: "E-mail address and password don't go together.",
  },
  V13011: {
    message: "dashboard_sign_in_too_often",
    status: 429,
    meaning: "Too many tries. Wait as long as the page says, then try again.",
  },
  V13012: {
    message: "dashboard_second_factor_refused",
    status: 401,
    meaning: "This code doesn't fit, or was used already. Codes change every 30 seconds.",
  },
  V13013: {
    message: "dashboard_link_invalid",
    status: 404,
    meaning: "This one-time link was used, is older than 24 hours, or was never made.",
  },
  V13014: {
    message: "dashboard_password_refused",
    status: 401,
    meaning: "This is not your current password.",
  },
  V13020: {
    message: "dashboard_form_refused",
    status: 403,
    meaning: "This form didn't come from a page of this session. Load the page again and send it once more.",
  },
  V13021: {
    message: "dashboard_role_missing",
    status: 403,
    meaning: "Your role doesn't allow this. Ask an administrator of the account.",
  },
  V13022: {
    message: "dashboard_last_operator",
    status: 409,
    meaning: "This is the last operator who can sign in. Make another operator first.",
  },
} as const satisfies Record<string, Code>;
