/** Whether a hostname, as the URL class spells it, means this machine. Names are not looked up. */
export function isLoopbackHostname(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
