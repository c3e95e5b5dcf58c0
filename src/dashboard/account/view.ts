import { type Html, html } from "../../../browser/ui/html.ts";
import type { UserSession } from "../access/sessions/queries.ts";
import type { Refused, Visit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { type FieldProblems, field, postButton, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime, timeElement } from "../shell/times.ts";

/** The path of the account page. */
export const ACCOUNT = "/dashboard/account";

type Shown = {
  readonly sessions: readonly UserSession[];
  readonly zone: string;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  readonly refused: Refused | undefined;
};

export function accountView(visit: Visit, { sessions, zone, recoveryCodes, refused }: Shown): Html {
  const { user, formToken, fields } = visit;
  const you = facts([
    ["Name", user.name],
    ["E-mail address", user.email],
    ["Role", user.role],
  ]);
  // A throttled form has no field to blame; the problem goes beside what was typed.
  const wait = refused?.status === 429 ? refused.words : undefined;
  const isCode = fields["code"] !== undefined;
  const problems = {
    current: refused?.byField["/current"] ?? (isCode ? undefined : wait),
    password: refused?.byField["/password"],
    code: refused?.byField["/code"] ?? (isCode ? wait : undefined),
  };
  return html`${panel("You", you)}
${panel("Second factor", user.totpConfirmed ? removalForm(formToken, recoveryCodes, problems.code) : setupLink())}
${panel("Password", passwordForm(formToken, problems))}
${panel("Where you are signed in", sessionTable(visit, sessions, zone), sessions.length > 1 ? endOthersButton(formToken) : undefined)}`;
}

function setupLink(): Html {
  return html`<p>A password alone can be guessed or stolen. With a second factor, sign-in also needs a code from an app on your phone.</p>
<p><a class="button" href="${ACCOUNT}/second-factor">Set it up</a></p>`;
}

function removalForm(formToken: string, codesLeft: number, problem: string | undefined): Html {
  return html`<p>${badge("on", "good")} Every sign-in requires a code of your authenticator app. Recovery codes left: ${codesLeft}.</p>
${postForm({
  action: `${ACCOUNT}/second-factor/remove`,
  formToken,
  button: "Switch it off",
  tone: "quiet",
  content: field({
    name: "code",
    label: "Code",
    hint: "From your app, or a recovery code.",
    autocomplete: "one-time-code",
    width: "short",
    problem,
  }),
})}`;
}

function passwordForm(formToken: string, problems: FieldProblems): Html {
  return postForm({
    action: `${ACCOUNT}/password`,
    formToken,
    button: "Change password",
    content: html`${field({ name: "current", label: "Current password", type: "password", autocomplete: "current-password", problem: problems["current"] })}
${field({ name: "password", label: "New password", type: "password", hint: "12 characters or more.", autocomplete: "new-password", problem: problems["password"] })}`,
  });
}

function endOthersButton(formToken: string): Html {
  return postButton({
    action: `${ACCOUNT}/sessions/end`,
    formToken,
    button: "Sign out everywhere else",
  });
}

function sessionTable(
  { formToken, session: current }: Visit,
  sessions: readonly UserSession[],
  zone: string,
): Html {
  return table({
    caption: "Your sessions",
    captionHidden: true,
    stacks: true,
    columns: [
      { head: "Browser" },
      { head: "Network address" },
      { head: "Since" },
      { head: "Last seen" },
      { head: "Actions", kind: "actions" },
    ],
    rows: sessions.map(({ id, agent, address, createdAt, seenAt }) => [
      agentName(agent),
      html`<code>${address}</code>`,
      timeElement(createdAt, zone, exactTime(createdAt, zone)),
      timeElement(seenAt, zone, exactTime(seenAt, zone)),
      id === current.id
        ? badge("this one", "good")
        : postButton({
            action: `${ACCOUNT}/sessions/${id}/end`,
            formToken,
            button: "Sign out",
            what: agentName(agent),
          }),
    ]),
  });
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** Such as “Firefox on Linux”. */
function agentName(agent: string): string {
  const first = (names: typeof BROWSERS) =>
    names.filter(([pattern]) => pattern.test(agent)).map(([, name]) => name)[0];
  const browser = first(BROWSERS);
  const system = first(SYSTEMS);
  if (browser === undefined) return agent === "" ? "Unknown browser" : agent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

type Setup = {
  readonly secret: string;
  readonly picture: { readonly size: number; readonly path: string };
  readonly refused: Refused | undefined;
};

export function setupView({ formToken }: Visit, { secret, picture, refused }: Setup): Html {
  const { size, path } = picture;
  const problem = refused && `${refused.words} If this page was opened twice, scan the picture again.`;
  return panel(
    "With an authenticator app",
    html`<p>Scan this picture with an authenticator app:</p>
<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the secret below"><path d="${path}" shape-rendering="crispEdges" /></svg>
<p>Or type this secret into it: ${copyable(secret.replace(/(.{4})(?=.)/g, "$1 "), "the secret")}</p>
${postForm({
  action: `${ACCOUNT}/second-factor`,
  formToken,
  button: "Switch it on",
  content: field({
    name: "code",
    label: "Code",
    hint: "The six digits that the app shows now.",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    width: "short",
    problem,
  }),
  beside: html`<a href="${ACCOUNT}">Not now</a>`,
})}`,
  );
}

/** Shown once: the gateway keeps only their hashes. */
export function recoveryCodesView(codes: readonly string[]): Html {
  return panel(
    "Keep these somewhere safe",
    html`<p>The second factor is on. Each of these codes gets you in once if you lose your phone. They are shown this once.</p>
<ul class="codes">${codes.map((one) => html`<li><code>${one}</code></li>`)}</ul>
<p><a class="button" href="${ACCOUNT}">I have kept them</a></p>`,
  );
}

export function proofView({ user, formToken }: Visit, next: string, refused: Refused | undefined): Html {
  return panel(
    "Before you change keys, users or credentials",
    postForm({
      action: "/dashboard/account/confirm",
      formToken,
      button: "Confirm",
      content: html`<input type="hidden" name="next" value="${next}">
${field({ name: "password", label: "Your password", type: "password", autocomplete: "current-password", required: true, problem: refused?.byField["/password"] })}
${
  user.totpConfirmed &&
  field({
    name: "code",
    label: "Code",
    hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
    autocomplete: "one-time-code",
    required: true,
    problem: refused?.byField["/code"],
  })
}`,
      beside: html`<a href="${next}">Back</a>`,
    }),
  );
}
