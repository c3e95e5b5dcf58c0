import { type Html, html } from "../../../browser/ui/html.ts";
import type { UserSession } from "../access/sessions/queries.ts";
import { type DashboardUser, statusOf } from "../access/users/user.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import type { Visit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { postButton, postForm } from "../shell/parts/form.ts";
import { exactTime, timeElement } from "../shell/times.ts";
import { countText } from "../shell/words.ts";
import { merchantWords, type Positions, positionFields, USERS } from "./view.ts";

type UserVisit = Visit<"{userId}">;

export function userPath({ params }: UserVisit): string {
  return `${USERS}/${params.userId}`;
}

/** One user, and what an administrator can change. */
export function userView(
  visit: UserVisit,
  user: DashboardUser,
  {
    sessions,
    zone,
    ...positions
  }: Positions & {
    readonly sessions: readonly UserSession[];
    readonly zone: string;
  },
): Html {
  const [last] = sessions;
  const about = facts([
    ["E-mail address", user.email],
    ["Sees", merchantWords(user, positions.merchants)],
    ["Status", badge(statusOf(user))],
    ["Second factor", user.totpConfirmed ? badge("on", "good") : badge("off")],
    [
      "Signed in",
      last === undefined
        ? "Nowhere"
        : html`${countText(sessions.length, "session", "sessions")}, last seen ${timeElement(last.seenAt, zone, exactTime(last.seenAt, zone))}`,
    ],
    ["Id", copyable(user.id, "the user id")],
    ["Created", timeElement(user.createdAt, zone, exactTime(user.createdAt, zone))],
  ]);
  return html`${panel("User", about)}
${panel("Role", roleForm(visit, user, positions))}
${panel("Access", access(visit, user))}`;
}

function roleForm(visit: UserVisit, user: DashboardUser, positions: Positions): Html {
  const { refused } = positions;
  const typed = refused === undefined ? {} : visit.fields;
  const role = typed["role"] ?? user.role;
  const merchant = typed["merchant"] ?? user.merchantId ?? undefined;
  const other = refused?.byField["/merchant"] === undefined ? refused?.words : undefined;
  const roleProblem = refused?.byField["/role"] ?? other;
  return postForm({
    action: `${userPath(visit)}/role`,
    formToken: visit.formToken,
    button: "Change role",
    content: positionFields(visit, positions, { role, merchant, roleProblem }),
  });
}

function access(visit: UserVisit, user: DashboardUser): Html {
  const { formToken } = visit;
  const path = userPath(visit);
  const remove = html`<a class="small small-danger" href="${path}/remove">Remove</a>`;
  if (user.disabledAt !== null) {
    return html`<p>${user.name} is disabled and can't sign in.</p>
<div class="buttons">${postButton({ action: `${path}/enable`, formToken, button: "Enable" })}${remove}</div>`;
  }
  return html`<p>A one-time link lets ${user.name} choose a new password. It takes the place of any link before.</p>
<div class="buttons">${postButton({ action: `${path}/link`, formToken, button: "Make a one-time link" })}${user.totpConfirmed && html`<a class="small" href="${path}/second-factor">Remove second factor</a>`}<a class="small" href="${path}/disable">Disable</a>${remove}</div>`;
}

export function factorRemovalOf({ name }: DashboardUser): Confirmation {
  return {
    title: `Remove the second factor of ${name}?`,
    words: [
      `${name} can then sign in with the password alone, until they set up a second factor again.`,
      "Do this for a lost phone, after you have verified who requests it.",
    ],
    button: "Remove the second factor",
  };
}

export function disablingOf({ name }: DashboardUser, sessions: readonly UserSession[]): Confirmation {
  return {
    title: `Disable ${name}?`,
    words: [
      `${name} can't sign in until an administrator enables them again. ${endedWords(sessions.length)}`,
      "Nothing that they did is undone.",
    ],
    button: `Disable ${name}`,
  };
}

export function removalOf({ name }: DashboardUser, sessions: readonly UserSession[]): Confirmation {
  return {
    title: `Remove ${name}?`,
    words: [
      `${name} is no user any more: password, second factor and one-time links are deleted. ${endedWords(sessions.length)}`,
      "This can't be undone, but they can be invited again. Nothing that they did is undone, and the audit log keeps it.",
    ],
    button: `Remove ${name}`,
  };
}

function endedWords(sessions: number): string {
  if (sessions === 0) return "They are signed in nowhere.";
  return sessions === 1 ? "Their one session ends at once." : `Their ${sessions} sessions end at once.`;
}
