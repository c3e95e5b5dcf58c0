/**
 * The URL as node-postgres takes it without a word: it verifies the server in these modes as in verify-full, and prints nine
 * lines about a later version that won't, among log lines that are JSON.
 */
export function connectionString(url: string): string {
  if (/[?&]uselibpqcompat=/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, "$1verify-full");
}
