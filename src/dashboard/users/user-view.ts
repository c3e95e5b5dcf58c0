import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { copyable, facts, moment, panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, postButton, postForm } from "../shell/parts/form.ts";
import { countText } from "../shell/words.ts";
import { ROLE_WORDS } from "./view.ts";

export type UserPageModel = {
  readonly path: string;
  readonly formToken: string;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly merchant: string;
    readonly standing: "disabled" | "invited" | "active";
    readonly secondFactor: boolean;
    readonly createdAt: string;
  };
  readonly sessions: { readonly count: number; readonly lastSeen: string | undefined };
  readonly role: string;
  readonly roles: readonly string[];
  readonly merchant: string | undefined;
  /** To choose from; none where there is no choice. */
  readonly merchants: readonly { readonly id: string; readonly name: string }[];
  readonly problems: FieldProblems;
};

/** One person, and what an administrator can do about them. */
export function userPage(model: UserPageModel): Html {
  const { user, sessions } = model;
  const about = facts([
    ["E-mail address", user.email],
    ["Sees", user.merchant],
    ["Status", badge(user.standing)],
    ["Second factor", user.secondFactor ? badge("on", "good") : badge("off")],
    [
      "Signed in",
      sessions.lastSeen === undefined
        ? "Nowhere"
        : html`${countText(sessions.count, "session", "sessions")}, last seen ${moment(sessions.lastSeen)}`,
    ],
    ["Id", copyable(user.id, "the user id")],
    ["Made", moment(user.createdAt)],
  ]);
  return html`${panel("User", about)}
${panel("Role", roleForm(model))}
${panel("Access", access(model))}`;
}

function roleForm({ path, formToken, role, roles, merchant, merchants, problems }: UserPageModel): Html {
  return postForm({
    action: `${path}/role`,
    formToken,
    button: "Change role",
    content: html`${choice({ name: "role", label: "Role", value: role, among: roles.map((one) => ({ value: one, label: ROLE_WORDS[one] ?? one })), problem: problems["role"] })}
${
  merchants.length > 0 &&
  choice({
    name: "merchant",
    label: "Merchant",
    hint: "An operator belongs to none.",
    value: merchant,
    among: merchants.map(({ id, name }) => ({ value: id, label: name })),
    problem: problems["merchant"],
  })
}`,
  });
}

function access({ path, formToken, user }: UserPageModel): Html {
  const remove = html`<a class="small small-danger" href="${path}/remove">Remove</a>`;
  if (user.standing === "disabled") {
    return html`<p>${user.name} is disabled and can't sign in.</p>
<div class="buttons">${postButton({ action: `${path}/enable`, formToken, button: "Enable" })}${remove}</div>`;
  }
  return html`<p>A one-time link lets ${user.name} choose a new password. It takes the place of any link before.</p>
<div class="buttons">${postButton({ action: `${path}/link`, formToken, button: "Make a one-time link" })}${user.secondFactor && html`<a class="small" href="${path}/second-factor">Remove second factor</a>`}<a class="small" href="${path}/disable">Disable</a>${remove}</div>`;
}

export type UserStep = {
  readonly path: string;
  readonly formToken: string;
  readonly name: string;
  readonly sessions: number;
};

export function factorStep({ path, formToken, name }: UserStep): Html {
  return confirmStep({
    action: `${path}/second-factor`,
    formToken,
    words: [
      `${name} can then sign in with the password alone, until they set up a second factor again.`,
      "Do this for a lost phone, after you have made sure who asks.",
    ],
    button: "Remove the second factor",
    backTo: path,
  });
}

export function disablingStep({ path, formToken, name, sessions }: UserStep): Html {
  return confirmStep({
    action: `${path}/disable`,
    formToken,
    words: [
      `${name} can't sign in until somebody enables them again. ${endedWords(sessions)}`,
      "Nothing that they did is undone.",
    ],
    button: `Disable ${name}`,
    backTo: path,
  });
}

export function removalStep({ path, formToken, name, sessions }: UserStep): Html {
  return confirmStep({
    action: `${path}/remove`,
    formToken,
    words: [
      `${name} is no user any more: password, second factor and one-time links are deleted. ${endedWords(sessions)}`,
      "This can't be undone, but they can be invited again. Nothing that they did is undone, and the audit log keeps it.",
    ],
    button: `Remove ${name}`,
    backTo: path,
  });
}

function endedWords(sessions: number): string {
  if (sessions === 0) return "They are signed in nowhere.";
  return sessions === 1 ? "Their one session ends at once." : `Their ${sessions} sessions end at once.`;
}
