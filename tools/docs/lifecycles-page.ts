import { type FoundLifecycle, findLifecycles } from "./find-lifecycles.ts";
import { page, table } from "./markdown.ts";

export async function lifecyclesPage(): Promise<string> {
  return page("Lifecycles", "the lifecycle tables of the nouns", [
    "The triggers that lead from one state to another. No other transition exists.",
    ...(await findLifecycles()).map(section),
  ]);
}

function section({ feature, path, name, about, table: states }: FoundLifecycle): string {
  const transitions = Object.entries(states).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => ({ from, trigger, to })),
  );
  const finals = Object.keys(states).filter((state) => Object.keys(states[state] ?? {}).length === 0);
  const first = Object.keys(states)[0] ?? "";
  const diagram = [
    "stateDiagram-v2",
    `  [*] --> ${first}`,
    ...transitions.map(({ from, trigger, to }) => `  ${from} --> ${to}: ${trigger}`),
    ...finals.map((state) => `  ${state} --> [*]`),
  ];
  const words = feature.replaceAll("-", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const which = name === "lifecycle" ? "" : ` (${name})`;
  return [
    `## ${title}${which}`,
    `${about} Source: [${path}](../../${path}).`.trim(),
    table(
      ["State", "Trigger", "Next state"],
      [
        ...transitions.map(({ from, trigger, to }) => [`\`${from}\``, trigger, `\`${to}\``]),
        ...finals.map((state) => [`\`${state}\``, "none", "final"]),
      ],
    ),
    `\`\`\`mermaid\n${diagram.join("\n")}\n\`\`\``,
  ].join("\n\n");
}
