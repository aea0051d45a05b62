import { answer } from './answer.mjs'

console.log(globalThis.Bun.serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }).port)
