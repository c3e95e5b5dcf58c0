/** For every state, which trigger leads where. A state without triggers is final. */
export type Lifecycle<State extends string, Trigger extends string> = {
  readonly [state in State]: { readonly [trigger in Trigger]?: State };
};

/** Where the trigger leads from that state; undefined when the state does not allow it. */
export function nextState<State extends string, Trigger extends string>(
  lifecycle: Lifecycle<State, Trigger>,
  state: State,
  trigger: Trigger,
): State | undefined {
  return lifecycle[state][trigger];
}

export function isFinal<State extends string>(lifecycle: Lifecycle<State, string>, state: State): boolean {
  return Object.keys(lifecycle[state]).length === 0;
}
