// Every program begins with it, and `npm start` before its own script, which the shell of Windows does not understand.
if (process.platform === "win32") {
  process.stderr.write("tidegate: Tidegate runs on Linux and macOS; on Windows run it inside WSL\n");
  process.exit(1);
}
