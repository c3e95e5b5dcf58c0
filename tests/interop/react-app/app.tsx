import { type PayUIProcessEvent, TidegateCheckout, useTidegateCheckout } from "@tidegate/react";
import { type ReactElement, StrictMode, useState } from "react";

export type ShopPage = { readonly hostedUrl: string; readonly tokens: readonly (string | null)[] };

/** A shop's page: it is rendered on the server, runs in StrictMode, and passes new handlers and styles on every render. */
export function App({ page }: { readonly page: ShopPage }): ReactElement {
  const [turn, setTurn] = useState(0);
  const [note, setNote] = useState("first");
  const [isOpen, setIsOpen] = useState(true);
  const [outcome, setOutcome] = useState("");
  const onProcess = ({ result, transactionId }: PayUIProcessEvent): void =>
    setOutcome(`${result.status} ${transactionId ?? ""} ${note}`);
  return (
    <StrictMode>
      <button type="button" onClick={() => setTurn(turn + 1)}>
        Next token
      </button>
      <button type="button" onClick={() => setNote("second")}>
        Change the handler
      </button>
      <button type="button" onClick={() => setIsOpen(!isOpen)}>
        Open or close
      </button>
      {isOpen && (
        <TidegateCheckout
          hostedUrl={page.hostedUrl}
          token={page.tokens[turn]}
          ui={{ variables: { colorPrimary: "#0b6470" } }}
          className="checkout"
          style={{ maxWidth: "30rem" }}
          onProcess={onProcess}
        />
      )}
      <p id="outcome">{outcome}</p>
    </StrictMode>
  );
}

/** The same with the hook, for a page that shows what is going on. */
export function OwnElement({ page }: { readonly page: ShopPage }): ReactElement {
  const [problem, setProblem] = useState("");
  const { containerProps, status, retry } = useTidegateCheckout({
    hostedUrl: page.hostedUrl,
    token: page.tokens[0],
    onLoadError: (error) => setProblem(error.message),
  });
  return (
    <StrictMode>
      <section {...containerProps} />
      <p id="status">{status}</p>
      <p id="problem">{problem}</p>
      <button type="button" onClick={retry}>
        Again
      </button>
    </StrictMode>
  );
}
