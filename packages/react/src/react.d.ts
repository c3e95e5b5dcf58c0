/**
 * The part of React's types that this package uses, so that the gateway's checkout needs no React. It is not published:
 * integrators compile against their own types of React, and tests/interop/react.test.ts does so with those of 18 and 19.
 */
declare module "react" {
  export type ReactElement = { readonly type: unknown; readonly props: unknown; readonly key: string | null };
  export type CSSProperties = Readonly<Record<string, string | number | undefined>>;
  export function createElement(type: string, props: Readonly<Record<string, unknown>>): ReactElement;
  export function useCallback<Callback>(callback: Callback, dependencies: readonly unknown[]): Callback;
  export function useEffect(effect: () => undefined | (() => void), dependencies?: readonly unknown[]): void;
  export function useId(): string;
  export function useRef<Value>(initial: Value): { current: Value };
  export function useState<State>(
    initial: State,
  ): [State, (next: State | ((previous: State) => State)) => void];
}
