// Options of body-parser, and those that all parsers share. programs.js has what is said of wrong values of most.

import bodyParser, { createBudget, json, raw, text, urlencoded } from 'fast-body-parser'
import type { IncomingMessage } from 'node:http'

for (const parser of [json, raw, text, urlencoded] as const) {
  parser()
  parser(undefined)
  parser({ inflate: undefined, limit: undefined, type: undefined })
  parser({ inflate: false, limit: '1.5mb', type: ['json', '+json'], drainLimit: '1gb', verify () {} })
  parser({ limit: Infinity, drainLimit: Infinity, type: (req) => req.headers['x-parse'] })
  parser({ type: (req: IncomingMessage) => req.method === 'POST' })
  parser({ async verify () {} })
  parser({ verify: (_req, _res, _buf, encoding: string) => encoding.length })
  parser({ verify: (req: IncomingMessage & { bytes?: Buffer }, _res, buf) => (req.bytes = buf) })
  parser({ budget: createBudget({ bytes: '256mb', wait: 1000 }), minRate: '1kb', timeout: 5000 })
  // @ts-expect-error
  parser({ budget: '256mb' })
  // @ts-expect-error
  parser('1mb')
  // @ts-expect-error
  parser({ inflate: 'yes' })
  // @ts-expect-error
  parser({ drainLimit: true })
  // @ts-expect-error
  parser({ type: (url: string) => url })
  // @ts-expect-error
  parser({ verify: (_req, _res, text: string) => text })
}

json({ strict: false, reviver: (key, value) => key === '' ? value : undefined, defaultCharset: 'utf-16' })
json({ reviver (this: Record<string, unknown>, key: string) { return this[key] } })
// @ts-expect-error
json({ reviver: ['name'] })
// @ts-expect-error
json({ reviver: (key: number) => key })
// @ts-expect-error
json({ defaultCharset: 8 })

raw({ verify: (_req, _res, buf, encoding) => buf.toString(encoding === null ? 'hex' : 'latin1') })
// @ts-expect-error bytes have no charset
raw({ verify: (_req, _res, _buf, encoding) => encoding.length })

text({ defaultCharset: 'windows-1252' })
// @ts-expect-error
text({ defaultCharset: null })

urlencoded({ charsetSentinel: true, defaultCharset: 'iso-8859-1', depth: 0, extended: true })
urlencoded({ interpretNumericEntities: true, parameterLimit: Infinity })
// @ts-expect-error
urlencoded({ charsetSentinel: 'utf8' })
// @ts-expect-error
urlencoded({ defaultCharset: 'latin1' })
// @ts-expect-error
urlencoded({ depth: '3' })
// @ts-expect-error
urlencoded({ extended: 'yes' })
// @ts-expect-error
urlencoded({ interpretNumericEntities: 1 })
// @ts-expect-error
urlencoded({ parameterLimit: '10' })

export const never: () => never = () => bodyParser({ extended: true })

export const used: number = createBudget({ bytes: 1024 }).used
// @ts-expect-error
createBudget()
// @ts-expect-error
createBudget({ wait: 1000 })
