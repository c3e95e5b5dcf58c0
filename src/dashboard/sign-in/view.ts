import { type Html, html } from "../../../browser/ui/html.ts";
import { type FieldProblems, field, postForm } from "../shell/parts/form.ts";

type SignInForm = { readonly formToken: string; readonly next: string; readonly problems: FieldProblems };

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;

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

export function secondFactorForm({ formToken, next, problems }: SignInForm): Html {
  return postForm({
    action: "/dashboard/second-factor",
    formToken,
    button: "Go on",
    content: html`${hidden("next", next)}
${field({
  name: "code",
  label: "Code",
  hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
  autocomplete: "one-time-code",
  required: true,
  problem: problems["code"],
})}`,
  });
}

/** Where scripts run the address fills it in and sends it; without, the link is pasted. */
export function linkForm({ formToken }: { readonly formToken: string }): Html {
  return postForm({
    action: "/dashboard/welcome",
    formToken,
    button: "Go on",
    content: html`<div class="field"><label for="f-link">One-time link</label><span class="hint" id="h-link">Paste the link that the gateway's start or your administrator gave you.</span><input id="f-link" name="link" type="text" autocomplete="off" required data-fragment aria-describedby="h-link"></div>`,
  });
}

export type WelcomeModel = {
  readonly formToken: string;
  readonly link: string;
  /** Known where the link is somebody's; asked for where it makes an operator. */
  readonly email: string | undefined;
  readonly typed: { readonly email?: string };
  readonly name: string;
  readonly problems: FieldProblems;
};

export function welcomeForm({ formToken, link, email, typed, name, problems }: WelcomeModel): Html {
  return postForm({
    action: "/dashboard/welcome/finish",
    formToken,
    button: "Save and sign in",
    content: html`<p class="lead">${email === undefined ? "This makes an operator of the gateway, who sees every merchant." : "Choose a password for your account."}</p>
${hidden("link", link)}
${field({
  name: "email",
  label: "E-mail address",
  type: "email",
  value: email ?? typed.email ?? "",
  readonly: email !== undefined,
  autocomplete: "username",
  required: true,
  problem: problems["email"],
})}
${field({ name: "name", label: "Your name", value: name, autocomplete: "name", required: true, problem: problems["name"] })}
${field({
  name: "password",
  label: "Password",
  type: "password",
  hint: "12 characters or more. A few words that only you would put together are best.",
  autocomplete: "new-password",
  required: true,
  problem: problems["password"],
})}`,
  });
}
