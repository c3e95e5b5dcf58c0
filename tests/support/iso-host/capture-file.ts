/** Bytes that one side of a connection received at once. */
export type Captured = { readonly bytes: Buffer; readonly from: "gateway" | "host" };

/**
 * Bytes of a connection as a capture file (pcap) of TCP packets to and from a port: what a judge such as tshark reads.
 * Written here, because capturing on a real interface needs rights that a test does not have.
 */
export function captureOf(captured: readonly Captured[], port: number): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  // Link type 101: the packets begin with their IP header.
  header.writeUInt32LE(101, 20);
  const sequences = { gateway: 1, host: 1 };
  const packets = captured.map(({ bytes, from }) => {
    const [source, target] = from === "gateway" ? [GATEWAY_PORT, port] : [port, GATEWAY_PORT];
    const packet = packetOf(bytes, { source, target, sequence: sequences[from] });
    sequences[from] += bytes.length;
    const record = Buffer.alloc(16);
    record.writeUInt32LE(packet.length, 8);
    record.writeUInt32LE(packet.length, 12);
    return Buffer.concat([record, packet]);
  });
  return Buffer.concat([header, ...packets]);
}

const GATEWAY_PORT = 40_000;
const IP_BYTES = 20;
const TCP_BYTES = 20;

type Head = { readonly source: number; readonly target: number; readonly sequence: number };

function packetOf(payload: Buffer, { source, target, sequence }: Head): Buffer {
  const head = Buffer.alloc(IP_BYTES + TCP_BYTES);
  head.writeUInt8(0x45, 0);
  head.writeUInt16BE(head.length + payload.length, 2);
  head.writeUInt8(64, 8);
  head.writeUInt8(6, 9);
  head.writeUInt32BE(0x7f000001, 12);
  head.writeUInt32BE(0x7f000001, 16);
  head.writeUInt16BE(source, IP_BYTES);
  head.writeUInt16BE(target, IP_BYTES + 2);
  head.writeUInt32BE(sequence, IP_BYTES + 4);
  head.writeUInt32BE(1, IP_BYTES + 8);
  head.writeUInt8(0x50, IP_BYTES + 12);
  head.writeUInt8(0x18, IP_BYTES + 13);
  head.writeUInt16BE(65_535, IP_BYTES + 14);
  return Buffer.concat([head, payload]);
}
