// Where the types of body-parser (@types/body-parser) are used, ours fit.

import theirs from 'body-parser'
import ours from 'fast-body-parser'

export const parser: theirs.BodyParser = ours

// Middlewares, both ways.
export const replaced: Array<ReturnType<typeof theirs.json>> = [ours.json(), ours.raw(), ours.text(), ours.urlencoded()]
export const restored: ours.Middleware[] = [theirs.json(), theirs.raw(), theirs.text(), theirs.urlencoded()]

// Options, both ways.
export function swap (
  common: theirs.Options, json: theirs.OptionsJson, text: theirs.OptionsText, form: theirs.OptionsUrlencoded
) {
  const options: [ours.Options, ours.OptionsRaw, ours.OptionsJson, ours.OptionsText, ours.OptionsUrlencoded] =
    [common, common, json, text, form]
  return options
}

export function swapBack (
  common: ours.Options, json: ours.OptionsJson, text: ours.OptionsText, form: ours.OptionsUrlencoded
) {
  const options: [theirs.Options, theirs.OptionsJson, theirs.OptionsText, theirs.OptionsUrlencoded] =
    [common, json, text, form]
  return options
}

// What body-parser 2.4.0 takes, and its types do not tell
ours.json({ defaultCharset: 'utf-16' })
ours.urlencoded({ charsetSentinel: true, defaultCharset: 'iso-8859-1', depth: 8, interpretNumericEntities: true })
