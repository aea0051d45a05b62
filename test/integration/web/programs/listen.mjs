/** Serves a handler of the Fetch standard on this runtime, by @hono/node-server on Node.js, and prints the port. */
export async function listen (fetch) {
  const at = { fetch, hostname: '127.0.0.1', port: 0 }
  const print = ({ port }) => console.log(port)
  const { Bun, Deno } = globalThis
  if (Bun) return print(Bun.serve(at))
  if (Deno) return Deno.serve({ ...at, onListen: print }, fetch)
  const { serve } = await import('@hono/node-server')
  serve(at, print)
}
