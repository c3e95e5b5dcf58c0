import { type Html, html } from "../../../browser/ui/html.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { type DashboardUser, type Role, statusOf } from "../access/users/user.ts";
import type { Refused, Visit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { choice, field, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";

/** The path of the list. */
export const USERS = "/dashboard/users";

export const SHOWN_AT_MOST = 1_000;

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  operator: "operator: sees and does everything, for every merchant",
  admin: "admin: manages the account, its keys and its users",
  staff: "staff: refunds, captures, cancels, redelivers",
  viewer: "viewer: views, changes nothing",
};

/** What the visitor may assign. */
export type Positions = {
  readonly merchants: readonly Merchant[];
  readonly roles: readonly Role[];
  readonly refused: Refused | undefined;
};

/** `users` may be one more than is shown. */
export function usersView(
  visit: Visit,
  { users, ...positions }: Positions & { readonly users: readonly DashboardUser[] },
): Html {
  const rows = users.slice(0, SHOWN_AT_MOST).map((user) => {
    const self = user.id === visit.user.id;
    return [
      html`<a href="${self ? "/dashboard/account" : `${USERS}/${user.id}`}">${user.name}</a>${self && html` ${badge("you", "quiet")}`}<br><span class="hint">${user.email}</span>`,
      user.role,
      merchantWords(user, positions.merchants),
      badge(statusOf(user)),
      user.totpConfirmed ? badge("on", "good") : badge("off"),
    ];
  });
  const columns = ["User", "Role", "Merchant", "Status", "Second factor"].map((head) => ({ head }));
  return html`${table({ caption: "People who can sign in", columns, rows, stacks: true })}
${users.length > SHOWN_AT_MOST && html`<p class="muted cut">Only the first ${SHOWN_AT_MOST} are listed.</p>`}
${panel("Invite a user", invitationForm(visit, positions))}`;
}

/** The merchant that a user sees. */
export function merchantWords({ merchantId }: DashboardUser, merchants: readonly Merchant[]): string {
  if (merchantId === null) return "every merchant";
  return merchants.find(({ id }) => id === merchantId)?.name ?? merchantId;
}

function invitationForm(visit: Visit, positions: Positions): Html {
  const { refused } = positions;
  const typed = refused === undefined ? {} : visit.fields;
  const { name = "", email = "", role = "viewer", merchant } = typed;
  return postForm({
    action: `${USERS}/invite`,
    formToken: visit.formToken,
    button: "Make an invitation",
    content: html`${field({ name: "name", label: "Name", value: name, problem: refused?.byField["/name"] })}
${field({ name: "email", label: "E-mail address", type: "email", value: email, problem: refused?.byField["/email"] })}
${positionFields(visit, positions, { role, merchant, roleProblem: refused?.byField["/role"] })}`,
  });
}

type Chosen = {
  readonly role: string;
  readonly merchant: string | undefined;
  readonly roleProblem: string | undefined;
};

/** Only an operator chooses the merchant. */
export function positionFields(
  visit: Visit,
  { merchants, roles, refused }: Positions,
  { role, merchant, roleProblem }: Chosen,
): Html {
  return html`${choice({ name: "role", label: "Role", value: role, among: roles.map((one) => ({ value: one, label: ROLE_WORDS[one] })), problem: roleProblem })}
${
  visit.may("operate") &&
  merchants.length > 0 &&
  choice({
    name: "merchant",
    label: "Merchant",
    hint: "An operator belongs to none.",
    value: merchant,
    among: merchants.map(({ id, name }) => ({ value: id, label: name })),
    problem: refused?.byField["/merchant"],
  })
}`;
}

/** The gateway sends no e-mail: the inviting user passes the link on. */
export function linkView(name: string, link: string, backTo: string): Html {
  return panel(
    `For ${name}`,
    html`<p>${copyable(link, "the link")}</p>
<p>Send it to ${name} in a way that only they can read. It works once, for 24 hours, and lets them choose a password.</p>
<p><a class="button button-quiet" href="${backTo}">Done</a></p>`,
  );
}
