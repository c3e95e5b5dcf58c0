/** What `npm audit --json` says about the packages that users install. */
export type AuditVerdict = { readonly passed: boolean; readonly words: string };

type Counts = { readonly high: number; readonly critical: number };

/**
 * Fails on a known weakness of high or critical severity. A registry that answers nothing, or an error, says nothing: not every
 * mirror keeps the list, and a check must not fail because of the network.
 */
export function judgeAudit(text: string): AuditVerdict {
  const counts = countsIn(text);
  if (counts === undefined) return { passed: true, words: "not checked: the registry does not answer" };
  const grave = counts.high + counts.critical;
  return grave === 0
    ? { passed: true, words: "no known weakness of high or critical severity" }
    : { passed: false, words: `${grave} packages have a known weakness of high or critical severity` };
}

function countsIn(text: string): Counts | undefined {
  try {
    const { metadata } = JSON.parse(text) as { metadata?: { vulnerabilities?: Partial<Counts> } };
    const { high, critical } = metadata?.vulnerabilities ?? {};
    return high === undefined || critical === undefined ? undefined : { high, critical };
  } catch {
    return undefined;
  }
}
