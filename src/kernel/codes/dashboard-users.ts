import type { Code } from "./code.ts";

/** Refusals of the dashboard. Its pages show the meaning next to the field. */
export const DASHBOARD_USER_CODES = {
  dashboard_user_email_invalid: {
    id: "V13000",
    status: 400,
    meaning: "Enter an e-mail address such as `mere@shop.example`, up to 254 characters.",
  },
  dashboard_user_name_invalid: { id: "V13001", status: 400, meaning: "Enter a name of 1 to 100 characters." },
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
    meaning: "Enter another e-mail address; a user has this one already.",
  },
  dashboard_user_password_common: {
    id: "V13005",
    status: 400,
    meaning:
      "Choose a password that is not one of the most common ones, also with digits or signs around it, and not digits alone.",
  },
  dashboard_user_password_reused: {
    id: "V13006",
    status: 400,
    meaning: "Choose a password that is not one of your last four.",
  },
  dashboard_sign_in_refused: {
    id: "V13010",
    status: 401,
    meaning: "Check the e-mail address and the password; one of them is wrong.",
  },
  dashboard_sign_in_too_often: {
    id: "V13011",
    status: 429,
    meaning: "Wait as long as the page says, then try again; there were too many attempts.",
  },
  dashboard_second_factor_refused: {
    id: "V13012",
    status: 401,
    meaning:
      "Enter the code that the app shows now; this one is wrong or was used already, and codes change every 30 seconds.",
  },
  dashboard_link_invalid: {
    id: "V13013",
    status: 404,
    meaning: "Ask for a new one-time link; this one was used, is older than 24 hours, or never existed.",
  },
  dashboard_password_refused: {
    id: "V13014",
    status: 401,
    meaning: "Enter your current password; this is another one.",
  },
  dashboard_form_refused: {
    id: "V13020",
    status: 403,
    meaning: "Load the page again and resend the form; it didn't come from a page of this session.",
  },
  dashboard_user_moved: {
    id: "V13023",
    status: 409,
    meaning: "Check the user again, who has become an operator or come to another merchant meanwhile.",
  },
  dashboard_role_missing: {
    id: "V13021",
    status: 403,
    meaning: "Ask an administrator of the account; your role doesn't allow this.",
  },
  dashboard_last_operator: {
    id: "V13022",
    status: 409,
    meaning: "Add another operator first; this is the last operator who can sign in.",
  },
} as const satisfies Record<string, Code>;
