/** The host simulator: a process of its own, so that it outlives every gateway that a test kills. */
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { decodeMessage, encodeMessage } from "../../../src/connectors/iso8583/codec.ts";
import type { IsoMessage } from "../../../src/connectors/iso8583/dialect.ts";
import { openDialect } from "../../../src/connectors/iso8583/dialect-file.ts";
import { createFrameReader, frame } from "../../../src/connectors/iso8583/framing.ts";
import { createFaultChooser, type Fault } from "./faults.ts";
import { createHostLedger } from "./host-ledger.ts";
import type { Command, HostOptions, Seen } from "./iso-host.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as HostOptions;
const opened = await openDialect(options.dialect);
if (!("dialect" in opened)) throw new Error(opened.problems.join("; "));
const { dialect } = opened;
const ledger = createHostLedger(options);
const faults = createFaultChooser(options.seed);
const seen: Seen[] = [];
const sockets = new Set<Socket>();

function serve(socket: Socket): void {
  sockets.add(socket);
  const read = createFrameReader(options.framing);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
  socket.on("data", (chunk) => {
    try {
      for (const bytes of read(chunk)) handle(socket, decodeMessage(dialect, bytes));
    } catch (error) {
      process.send?.({ unreadable: String(error) });
      socket.destroy();
    }
  });
}

function handle(socket: Socket, message: IsoMessage): void {
  const fault = faults.choose(message.type);
  seen.push({ ...message, fault, at: Date.now() });
  if (fault === "lost") return;
  if (fault === "close before") {
    socket.destroy();
    return;
  }
  if (fault === "hold") {
    setTimeout(() => {
      const held = ledger.answer(message);
      if (held !== undefined) respond(socket, held, "none");
    }, faults.lateMs());
    return;
  }
  const answer = ledger.answer(message);
  if (answer !== undefined) respond(socket, answer, fault);
}

function respond(socket: Socket, answer: IsoMessage, fault: Fault | "none"): void {
  const bytes = frame(options.framing, encodeMessage(dialect, answer));
  const write = (data: Buffer) => {
    if (socket.writable) socket.write(data);
  };
  if (fault === "none") write(bytes);
  if (fault === "duplicate") write(Buffer.concat([bytes, bytes]));
  if (fault === "late") setTimeout(() => write(bytes), faults.lateMs());
  if (fault === "garbage") write(Buffer.from("\xff\xff garbage that is no message", "latin1"));
  if (fault === "unreadable") write(frame(options.framing, Buffer.from("02!0 no message")));
  if (fault === "half") socket.end(bytes.subarray(0, bytes.length >> 1));
  if (fault === "close after") socket.destroy();
  if (fault === "wrong stan") {
    const stan = String((Number(answer.fields[11]) + 500_000) % 1_000_000).padStart(6, "0");
    const wrong = { ...answer, fields: { ...answer.fields, 11: stan } };
    write(frame(options.framing, encodeMessage(dialect, wrong)));
  }
}

const server =
  options.tls === undefined
    ? createServer(serve)
    : createTlsServer(
        {
          key: readFileSync(options.tls.keyFile),
          cert: readFileSync(options.tls.certFile),
          ca: readFileSync(options.tls.caFile),
          requestCert: true,
          rejectUnauthorized: true,
        },
        serve,
      );
server.on("tlsClientError", () => {});
server.listen(options.port ?? 0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on("message", (command: Command) => {
  if (command.do === "faults") faults.set(command.plan);
  if (command.do === "drop links") for (const socket of sockets) socket.destroy();
  if (command.do === "send") for (const socket of sockets) respond(socket, command.message, "none");
  const reply = command.do === "read" ? { entries: ledger.entries(), seen } : {};
  process.send?.({ id: command.id, ...reply });
});
process.on("disconnect", () => process.exit());
