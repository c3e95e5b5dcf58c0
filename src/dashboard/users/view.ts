import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";

export type ShownUser = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly merchant: string;
  readonly standing: string;
  readonly secondFactor: boolean;
  readonly self: boolean;
};

export type UserListModel = {
  readonly formToken: string;
  readonly users: readonly ShownUser[];
  readonly roles: readonly string[];
  /** To choose from; none where there is no choice. */
  readonly merchants: readonly { readonly id: string; readonly name: string }[];
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: FieldProblems;
};

export const ROLE_WORDS: Readonly<Record<string, string>> = {
  operator: "operator: sees and does everything, for every merchant",
  admin: "admin: manages the account, its keys and its users",
  staff: "staff: refunds, captures, cancels, redelivers",
  viewer: "viewer: looks, changes nothing",
};

export function userList(model: UserListModel): Html {
  const rows = model.users.map((user) => [
    html`<a href="${user.self ? "/dashboard/account" : `/dashboard/users/${user.id}`}">${user.name}</a>${user.self && html` ${badge("you", "quiet")}`}<br><span class="hint">${user.email}</span>`,
    user.role,
    user.merchant,
    badge(user.standing),
    user.secondFactor ? badge("on", "good") : badge("off"),
  ]);
  const columns = [
    { head: "User" },
    { head: "Role" },
    { head: "Merchant" },
    { head: "Status" },
    { head: "Second factor" },
  ];
  return html`${table({ caption: "People who can sign in", columns, rows, stacks: true })}
${panel("Invite somebody", invitation(model))}`;
}

function invitation({ formToken, roles, merchants, typed, problems }: UserListModel): Html {
  return postForm({
    action: "/dashboard/users/invite",
    formToken,
    button: "Make an invitation",
    content: html`${field({ name: "name", label: "Name", value: typed["name"] ?? "", problem: problems["name"] })}
${field({ name: "email", label: "E-mail address", type: "email", value: typed["email"] ?? "", problem: problems["email"] })}
${choice({ name: "role", label: "Role", value: typed["role"] ?? "viewer", among: roles.map((role) => ({ value: role, label: ROLE_WORDS[role] ?? role })), problem: problems["role"] })}
${
  merchants.length > 0 &&
  choice({
    name: "merchant",
    label: "Merchant",
    hint: "An operator belongs to none.",
    value: typed["merchant"],
    among: merchants.map(({ id, name }) => ({ value: id, label: name })),
    problem: problems["merchant"],
  })
}`,
  });
}

/** The gateway sends no e-mail: whoever invites hands the link over. */
export function invitationShown(name: string, link: string, backTo: string): Html {
  return panel(
    `For ${name}`,
    html`<p>${copyable(link, "the link")}</p>
<p>Send it to ${name} in a way that only they can read. It works once, for 24 hours, and lets them choose a password.</p>
<p><a class="button button-quiet" href="${backTo}">Done</a></p>`,
  );
}
