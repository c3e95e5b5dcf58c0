/** Polls for a named condition until a deadline; never sleeps for a fixed time. */
export async function eventually<Value>(
  what: string,
  check: () => Promise<Value | undefined | false>,
  withinMs = 60_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
