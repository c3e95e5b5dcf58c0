import type { ExampleCall } from "./example-call.ts";
import { jsonText, literal, type Syntax } from "./literal.ts";

/** A language of the examples. A test runs every program where its toolchain is present. */
export type Language = {
  readonly id: string;
  readonly name: string;
  /** The call as a program to paste. It reads the key from `TIDEGATE_API_KEY` and needs nothing to be installed. */
  readonly program: (call: ExampleCall) => string;
};

export const LANGUAGES: readonly Language[] = [
  { id: "curl", name: "curl", program: curl },
  { id: "typescript", name: "TypeScript", program: typescript },
  { id: "python", name: "Python", program: python },
  { id: "php", name: "PHP", program: php },
];

function curl({ method, url, body }: ExampleCall): string {
  const isImplied = method === "GET" || (method === "POST" && body !== undefined);
  return [
    `curl "${url}"`,
    ...(isImplied ? [] : [`-X ${method}`]),
    `-H "X-Api-Key: $TIDEGATE_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${jsonText(body, "  ").replaceAll("'", `'\\''`)}'`]),
  ].join(" \\\n  ");
}

const TYPESCRIPT: Syntax = {
  scalar: (value) => JSON.stringify(value),
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `${JSON.stringify(name)}: `),
  object: ["{ ", " }"],
  emptyObject: "{}",
};

function typescript({ method, url, body, answersText }: ExampleCall): string {
  const key = `"X-Api-Key": process.env.TIDEGATE_API_KEY ?? ""`;
  const headers =
    body === undefined
      ? [`  headers: { ${key} },`]
      : [
          "  headers: {",
          `    ${key},`,
          `    "Content-Type": "application/json",`,
          "  },",
          `  body: JSON.stringify(${literal(body, TYPESCRIPT, "  ")}),`,
        ];
  return [
    `const response = await fetch("${url}", {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...headers,
    "});",
    `console.log(response.status, await response.${answersText === true ? "text" : "json"}());`,
  ].join("\n");
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

const PYTHON: Syntax = {
  scalar: (value) => PYTHON_WORDS[String(value)] ?? JSON.stringify(value),
  name: (name) => `${JSON.stringify(name)}: `,
  object: ["{", "}"],
  emptyObject: "{}",
};

function python({ method, url, body, answersText }: ExampleCall): string {
  const isJsonUsed = body !== undefined || answersText !== true;
  const key = `"X-Api-Key": os.environ["TIDEGATE_API_KEY"]`;
  const sent =
    body === undefined
      ? [`    headers={${key}},`]
      : [
          "    headers={",
          `        ${key},`,
          `        "Content-Type": "application/json",`,
          "    },",
          `    data=json.dumps(${literal(body, PYTHON, "    ")}).encode(),`,
        ];
  return [
    `import ${isJsonUsed ? "json, " : ""}os, urllib.request`,
    "",
    "request = urllib.request.Request(",
    `    "${url}",`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...sent,
    ")",
    "with urllib.request.urlopen(request) as response:",
    `    print(response.status, ${answersText === true ? "response.read().decode()" : "json.load(response)"})`,
  ].join("\n");
}

const PHP: Syntax = {
  // No variable is expanded between single quotes.
  scalar: (value) => (typeof value === "string" ? phpText(value) : JSON.stringify(value)),
  name: (name) => `${phpText(name)} => `,
  object: ["[", "]"],
  // An empty array would become a list.
  emptyObject: "new stdClass()",
};

function phpText(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

function php({ method, url, body }: ExampleCall): string {
  const key = `'X-Api-Key: ' . getenv('TIDEGATE_API_KEY')`;
  const sent =
    body === undefined
      ? [`  'header' => [${key}],`]
      : [
          "  'header' => [",
          `    ${key},`,
          "    'Content-Type: application/json',",
          "  ],",
          `  'content' => json_encode(${literal(body, PHP, "  ")}),`,
        ];
  return [
    "<?php",
    "$http = [",
    ...(method === "GET" ? [] : [`  'method' => '${method}',`]),
    ...sent,
    "  'ignore_errors' => true,",
    "];",
    "$context = stream_context_create(['http' => $http]);",
    `echo file_get_contents('${url}', false, $context);`,
  ].join("\n");
}
