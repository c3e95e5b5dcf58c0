import { readFile } from "node:fs/promises";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import { codeOf } from "./error-code.ts";
import type { TlsSettings } from "./settings.ts";

/** Read at each connection, so that renewed certificates count without a restart. */
export async function readTls(settings: TlsSettings): Promise<ConnectionOptions> {
  const { options, problems } = await readFiles(settings);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem);
  return options;
}

/** One line for each file that can't be read, or one if what they hold can't be used. */
export async function tlsProblems(settings: TlsSettings): Promise<readonly string[]> {
  const { options, problems } = await readFiles(settings);
  if (problems.length > 0) return problems;
  try {
    createSecureContext(options);
    return [];
  } catch (error) {
    return [`tls: the certificates or the key in its files can't be used: ${codeOf(error)}`];
  }
}

async function readFiles({ caFile, certFile, keyFile }: TlsSettings): Promise<{
  readonly options: ConnectionOptions;
  readonly problems: readonly string[];
}> {
  const problems: string[] = [];
  const read = async (path: string | undefined, name: string) => {
    if (path === undefined) return undefined;
    try {
      return await readFile(path);
    } catch (error) {
      problems.push(`tls.${name} cannot be read: ${codeOf(error)}`);
      return undefined;
    }
  };
  const ca = await read(caFile, "caFile");
  const cert = await read(certFile, "certFile");
  const key = await read(keyFile, "keyFile");
  return { options: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }, problems };
}
