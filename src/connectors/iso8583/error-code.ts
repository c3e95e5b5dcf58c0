/** The code of a system error: its message can hold addresses and paths, which say no more. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
