/**
 * Messages as a capture file (pcap) of TCP packets to a port, one packet each: what a judge such as tshark reads. Written
 * here, because capturing on a real interface needs rights that a test does not have.
 */
export function captureOf(messages: readonly Buffer[], port: number): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  // Link type 101: the packets begin with their IP header.
  header.writeUInt32LE(101, 20);
  let sequence = 1;
  const packets = messages.map((message) => {
    const packet = packetOf(message, port, sequence);
    sequence += message.length;
    const record = Buffer.alloc(16);
    record.writeUInt32LE(packet.length, 8);
    record.writeUInt32LE(packet.length, 12);
    return Buffer.concat([record, packet]);
  });
  return Buffer.concat([header, ...packets]);
}

const IP_BYTES = 20;
const TCP_BYTES = 20;

function packetOf(payload: Buffer, port: number, sequence: number): Buffer {
  const head = Buffer.alloc(IP_BYTES + TCP_BYTES);
  head.writeUInt8(0x45, 0);
  head.writeUInt16BE(head.length + payload.length, 2);
  head.writeUInt8(64, 8);
  head.writeUInt8(6, 9);
  head.writeUInt32BE(0x7f000001, 12);
  head.writeUInt32BE(0x7f000001, 16);
  head.writeUInt16BE(40_000, IP_BYTES);
  head.writeUInt16BE(port, IP_BYTES + 2);
  head.writeUInt32BE(sequence, IP_BYTES + 4);
  head.writeUInt32BE(1, IP_BYTES + 8);
  head.writeUInt8(0x50, IP_BYTES + 12);
  head.writeUInt8(0x18, IP_BYTES + 13);
  head.writeUInt16BE(65_535, IP_BYTES + 14);
  return Buffer.concat([head, payload]);
}
