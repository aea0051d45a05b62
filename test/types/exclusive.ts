// Options that exclude each other do not compile; neither does the parser accept them.

import bodyParser, {
  json, jsonArray, ndjson, raw, urlencoded, type OptionsJson, type OptionsJsonParse, type OptionsUrlencodedParse
} from 'fast-body-parser'

const reviver = (_key: string, value: unknown) => value
const parse = (text: string) => text

// json: a parser of the app's own knows none of these
json({ parse, reviver, strict: false, defaultCharset: 'utf-16', limit: '1mb', cooperative: false })
// @ts-expect-error
json({ parse, depth: 20 })
// @ts-expect-error
json({ parse, onProtoPoisoning: 'ignore' })
// @ts-expect-error
json({ parse, onConstructorPoisoning: 'error' })
// @ts-expect-error
json({ parse, cooperative: true })
// @ts-expect-error
json({ parse, cooperative: { slice: 1 } })

// json: the result of a reviver is not searched for keys, nor made in slices
json({ reviver, depth: 20, onProtoPoisoning: 'ignore', onConstructorPoisoning: 'ignore', cooperative: false })
// @ts-expect-error
json({ reviver, onProtoPoisoning: 'error' })
// @ts-expect-error
json({ reviver, onConstructorPoisoning: 'remove' })
// @ts-expect-error
json({ reviver, cooperative: true })
// @ts-expect-error
json({ reviver, cooperative: { threshold: '1mb' } })

json({ cooperative: true, depth: 20, onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' })
json({ cooperative: { slice: 1, threshold: '1mb' } })
// @ts-expect-error
json({ cooperative: { size: 1 } })
// @ts-expect-error
json({ cooperative: 2 })
// @ts-expect-error
raw({ cooperative: true })

// ndjson and jsonArray: the same of a reviver
ndjson({ reviver, depth: 20, onProtoPoisoning: 'ignore' })
// @ts-expect-error
ndjson({ reviver, onProtoPoisoning: 'error' })
// @ts-expect-error
ndjson({ reviver, onConstructorPoisoning: 'remove' })
jsonArray({ reviver, depth: 20, onConstructorPoisoning: 'ignore' })
// @ts-expect-error
jsonArray({ reviver, onProtoPoisoning: 'remove' })
// @ts-expect-error
jsonArray({ reviver, onConstructorPoisoning: 'error' })

// urlencoded: the same
urlencoded({ parse, extended: true, parameterLimit: 10, defaultCharset: 'iso-8859-1' })
// @ts-expect-error
urlencoded({ parse, depth: 3 })
// @ts-expect-error
urlencoded({ parse, charsetSentinel: true })
// @ts-expect-error
urlencoded({ parse, interpretNumericEntities: false })
// @ts-expect-error
urlencoded({ parse, extended: true, qs: { comma: true } })

// Options in variables, and interfaces that extend ours
const plain: OptionsJson = { reviver, depth: 20 }
const own: OptionsJsonParse = { parse, reviver }
const form: OptionsUrlencodedParse = { parse }
interface Extended extends bodyParser.OptionsJson {
  name: string
}
const extended: Extended = { name: 'v1', limit: '1mb' }
json(plain)
json(own)
json(extended)
urlencoded(form)
