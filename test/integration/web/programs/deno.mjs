import { answer } from './answer.mjs'

globalThis.Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) }, answer)
