import { type Html, html } from "../../../browser/ui/html.ts";
import type { DashboardUser } from "../access/users/user.ts";
import type { Refused } from "../shell/page.ts";
import { field, postForm } from "../shell/parts/form.ts";

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;

type SignInForm = { readonly formToken: string; readonly next: string };

export function signInForm({ formToken, next, email }: SignInForm & { readonly email: string }): Html {
  return postForm({
    action: "/dashboard/signin",
    formToken,
    button: "Sign in",
    content: html`${hidden("next", next)}
${field({ name: "email", label: "E-mail address", type: "email", value: email, autocomplete: "username", required: true })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true })}`,
    beside: html`<a href="/dashboard/welcome">I have a one-time link</a>`,
  });
}

export function secondFactorForm({
  formToken,
  next,
  problem,
}: SignInForm & { readonly problem?: string }): Html {
  return postForm({
    action: "/dashboard/second-factor",
    formToken,
    button: "Continue",
    content: html`${hidden("next", next)}
${field({
  name: "code",
  label: "Code",
  hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
  autocomplete: "one-time-code",
  required: true,
  problem,
})}`,
  });
}

/** The script fills in the link from the URL and submits it; without scripts the user pastes it. */
export function linkForm(formToken: string): Html {
  return postForm({
    action: "/dashboard/welcome",
    formToken,
    button: "Continue",
    content: html`<div class="field"><label for="f-link">One-time link</label><span class="hint" id="h-link">Paste the link that the gateway's start or your administrator gave you.</span><input id="f-link" name="link" type="text" autocomplete="off" required data-fragment aria-describedby="h-link"></div>`,
  });
}

export type WelcomeForm = {
  readonly formToken: string;
  readonly link: string;
  /** Null: the link creates an operator, who types an e-mail address. */
  readonly user: DashboardUser | null;
  readonly email: string;
  readonly name: string;
  readonly byField: Refused["byField"];
};

export function welcomeForm({ formToken, link, user, email, name, byField }: WelcomeForm): Html {
  return postForm({
    action: "/dashboard/welcome/finish",
    formToken,
    button: "Save and sign in",
    content: html`<p class="lead">${user === null ? "This creates an operator of the gateway, who sees every merchant." : "Choose a password for your account."}</p>
${hidden("link", link)}
${field({
  name: "email",
  label: "E-mail address",
  type: "email",
  value: email,
  readonly: user !== null,
  autocomplete: "username",
  required: true,
  problem: byField["/email"],
})}
${field({ name: "name", label: "Your name", value: name, autocomplete: "name", required: true, problem: byField["/name"] })}
${field({
  name: "password",
  label: "Password",
  type: "password",
  hint: "12 characters or more. A few words that only you would put together are best.",
  autocomplete: "new-password",
  required: true,
  problem: byField["/password"],
})}`,
  });
}
