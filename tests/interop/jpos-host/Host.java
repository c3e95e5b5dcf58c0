import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jpos.iso.ISOMsg;
import org.jpos.iso.ISOPackager;
import org.jpos.iso.ISOServer;
import org.jpos.iso.ISOSource;
import org.jpos.iso.ServerChannel;
import org.jpos.iso.channel.ASCIIChannel;
import org.jpos.iso.channel.NACChannel;
import org.jpos.iso.packager.ISO87APackager;
import org.jpos.iso.packager.ISO87BPackager;
import org.jpos.util.ThreadPool;

/**
 * An acquirer's host on jPOS: it records requests, completions and reversals, and answers by amount (144NN gives NN).
 * An amount of 15001 is booked and never answered. Commands come by standard input: `ledger` prints the ledger as JSON,
 * `seen` the messages.
 */
public final class Host {
  private static final Map<String, Entry> LEDGER = new ConcurrentHashMap<>();
  private static final Map<String, String> COMPLETED = new ConcurrentHashMap<>();
  private static final ConcurrentLinkedQueue<String> SEEN = new ConcurrentLinkedQueue<>();

  private static final class Entry {
    String type;
    String code;
    String retrieval;
    String response;
    long approved;
    long captured;
    boolean reversed;
  }

  public static void main(String[] arguments) throws Exception {
    ISOPackager packager = arguments[1].equals("iso87-binary") ? new ISO87BPackager() : new ISO87APackager();
    ServerChannel channel =
        arguments[2].equals("ascii4") ? new ASCIIChannel(packager) : new NACChannel(packager, null);
    ISOServer server = new ISOServer(Integer.parseInt(arguments[0]), channel, new ThreadPool(2, 32));
    server.addISORequestListener(Host::process);
    Thread thread = new Thread(server);
    thread.setDaemon(true);
    thread.start();
    System.out.println("ready");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      System.out.println(line.equals("ledger") ? ledger() : seen());
    }
    System.exit(0);
  }

  private static boolean process(ISOSource source, ISOMsg message) {
    try {
      SEEN.add(describe(message));
      ISOMsg answer = (ISOMsg) message.clone();
      for (int field : new int[] {2, 14, 18, 22, 25, 43, 48, 90}) answer.unset(field);
      String type = message.getMTI();
      answer.setMTI(type.substring(0, 2) + (char) (type.charAt(2) + 1) + "0");
      switch (type) {
        case "0800" -> answer.set(39, "00");
        case "0100", "0200" -> request(message, answer);
        case "0220", "0221" -> answer.set(39, complete(message));
        case "0420", "0421" -> answer.set(39, reverse(message));
        default -> answer.set(39, "12");
      }
      if (amountOf(message) == 15_001 && (type.equals("0100") || type.equals("0200"))) return true;
      source.send(answer);
    } catch (Exception error) {
      error.printStackTrace();
    }
    return true;
  }

  private static void request(ISOMsg message, ISOMsg answer) throws Exception {
    long amount = amountOf(message);
    Entry entry = new Entry();
    entry.type = message.getMTI();
    entry.code = message.getString(3);
    entry.retrieval = message.getString(37);
    entry.response = amount >= 14_400 && amount <= 14_499 ? String.format("%02d", amount - 14_400) : "00";
    boolean approved = List.of("00", "08", "10", "11", "16").contains(entry.response);
    entry.approved = approved ? (entry.response.equals("10") ? 7_205 : amount) : 0;
    entry.captured = entry.type.equals("0200") ? entry.approved : 0;
    LEDGER.putIfAbsent(message.getString(11) + message.getString(7), entry);
    answer.set(39, entry.response);
    if (!approved) return;
    answer.set(38, "J" + message.getString(11).substring(1));
    if (entry.approved != amount) answer.set(4, String.format("%012d", entry.approved));
    answer.set(48, "NT015" + ("J" + message.getString(37) + "00000000").substring(0, 15) + "CR001M");
  }

  private static String complete(ISOMsg message) {
    Entry entry = original(message);
    if (entry == null) return "25";
    return COMPLETED.computeIfAbsent(
        message.getString(11) + message.getString(7),
        key -> {
          if (entry.reversed || entry.captured + amountOf(message) > entry.approved) return "12";
          entry.captured += amountOf(message);
          return "00";
        });
  }

  private static String reverse(ISOMsg message) {
    Entry entry = original(message);
    if (entry == null) return "25";
    entry.reversed = true;
    return "00";
  }

  private static Entry original(ISOMsg message) {
    String data = message.getString(90);
    return data == null ? null : LEDGER.get(data.substring(4, 20));
  }

  private static long amountOf(ISOMsg message) {
    return message.hasField(4) ? Long.parseLong(message.getString(4)) : 0;
  }

  private static String ledger() {
    List<String> lines = new ArrayList<>();
    for (Entry entry : LEDGER.values()) {
      lines.add(
          String.format(
              "{\"type\":\"%s\",\"code\":\"%s\",\"retrieval\":\"%s\",\"response\":\"%s\",\"captured\":%d,\"reversed\":%b}",
              entry.type, entry.code, entry.retrieval, entry.response, entry.captured, entry.reversed));
    }
    return "[" + String.join(",", lines) + "]";
  }

  private static String seen() {
    return "[" + String.join(",", SEEN) + "]";
  }

  private static String describe(ISOMsg message) throws Exception {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int field = 0; field <= message.getMaxField(); field++) {
      if (message.hasField(field) && field != 1) fields.put(String.valueOf(field), message.getString(field));
    }
    List<String> pairs = new ArrayList<>();
    fields.forEach((field, value) -> pairs.add("\"" + field + "\":\"" + value.replace("\"", "'") + "\""));
    return "{" + String.join(",", pairs) + "}";
  }

  private Host() {}
}
