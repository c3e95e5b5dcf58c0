import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, moment, panel } from "../shell/parts/facts.ts";
import { type FieldProblems, field, postButton, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";

export type ShownSession = {
  readonly id: string;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly current: boolean;
};

export type AccountModel = {
  readonly formToken: string;
  readonly user: { readonly name: string; readonly email: string; readonly role: string };
  /** Undefined: there is none yet. */
  readonly secondFactor: { readonly codesLeft: number } | undefined;
  readonly sessions: readonly ShownSession[];
  readonly problems: FieldProblems;
};

export function accountPage({ formToken, user, secondFactor, sessions, problems }: AccountModel): Html {
  const you = facts([
    ["Name", user.name],
    ["E-mail address", user.email],
    ["Role", user.role],
  ]);
  return html`${panel("You", you)}
${panel("Second factor", secondFactor === undefined ? noFactor() : factor(formToken, secondFactor.codesLeft, problems))}
${panel("Password", passwordForm(formToken, problems))}
${panel("Where you are signed in", sessionTable(formToken, sessions), sessions.length > 1 ? everywhere(formToken) : undefined)}`;
}

function noFactor(): Html {
  return html`<p>A password alone can be guessed or stolen. With a second factor whoever signs in also needs a code from an app on your phone.</p>
<p><a class="button" href="/dashboard/account/second-factor">Set it up</a></p>`;
}

function factor(formToken: string, codesLeft: number, problems: FieldProblems): Html {
  return html`<p>${badge("on", "good")} Codes of your authenticator app are asked for at every sign-in. Recovery codes left: ${codesLeft}.</p>
${postForm({
  action: "/dashboard/account/second-factor/remove",
  formToken,
  button: "Switch it off",
  tone: "quiet",
  content: field({
    name: "code",
    label: "Code",
    hint: "From your app, or a recovery code.",
    autocomplete: "one-time-code",
    width: "short",
    problem: problems["code"],
  }),
})}`;
}

function passwordForm(formToken: string, problems: FieldProblems): Html {
  return postForm({
    action: "/dashboard/account/password",
    formToken,
    button: "Change password",
    content: html`${field({ name: "current", label: "Current password", type: "password", autocomplete: "current-password", problem: problems["current"] })}
${field({ name: "password", label: "New password", type: "password", hint: "12 characters or more.", autocomplete: "new-password", problem: problems["password"] })}`,
  });
}

function everywhere(formToken: string): Html {
  return postButton({
    action: "/dashboard/account/sessions/end",
    formToken,
    button: "Sign out everywhere else",
  });
}

function sessionTable(formToken: string, sessions: readonly ShownSession[]): Html {
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
    rows: sessions.map(({ id, agent, address, createdAt, seenAt, current }) => [
      agentName(agent),
      html`<code>${address}</code>`,
      moment(createdAt),
      moment(seenAt),
      current
        ? badge("this one", "good")
        : postButton({
            action: `/dashboard/account/sessions/${id}/end`,
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

/** What a person would call it: Firefox on Linux. */
function agentName(agent: string): string {
  const first = (names: typeof BROWSERS) =>
    names.filter(([pattern]) => pattern.test(agent)).map(([, name]) => name)[0];
  const browser = first(BROWSERS);
  const system = first(SYSTEMS);
  if (browser === undefined) return agent === "" ? "Unknown browser" : agent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

export type SetupModel = {
  readonly formToken: string;
  readonly secret: string;
  readonly picture: { readonly size: number; readonly path: string };
  readonly problem: string | undefined;
  readonly backTo: string;
};

export function secondFactorSetup({ formToken, secret, picture, problem, backTo }: SetupModel): Html {
  const { size, path } = picture;
  return panel(
    "With an authenticator app",
    html`<p>Scan this picture with an authenticator app:</p>
<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the secret below"><path d="${path}" shape-rendering="crispEdges" /></svg>
<p>Or type this secret into it: ${copyable(secret.replace(/(.{4})(?=.)/g, "$1 "), "the secret")}</p>
${postForm({
  action: "/dashboard/account/second-factor",
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
  beside: html`<a href="${backTo}">Not now</a>`,
})}`,
  );
}

/** Shown this once; the gateway keeps only their hashes. */
export function recoveryCodesShown(codes: readonly string[], backTo: string): Html {
  return panel(
    "Keep these somewhere safe",
    html`<p>The second factor is on. Each of these codes gets you in once if you lose your phone. They are shown this once.</p>
<ul class="codes">${codes.map((one) => html`<li><code>${one}</code></li>`)}</ul>
<p><a class="button" href="${backTo}">I have kept them</a></p>`,
  );
}
