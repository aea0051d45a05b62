'use strict'

// How an attack is written, and bodies of a given size, by default 1 MB.

const MB = 2 ** 20 // bytes

const MEDIA_TYPES = {
  raw: 'application/octet-stream',
  urlencoded: 'application/x-www-form-urlencoded'
}

/** On a parser of 1 MB, unless its options say otherwise, by requests that are all the same: of its media type. */
function attackOn (parser, make, { options, ...rest }) {
  return {
    parser,
    options: { limit: MB, ...options },
    async prepare () {
      const { headers, ...rest } = await make()
      const type = { 'Content-Type': MEDIA_TYPES[parser] ?? 'application/json' }
      const message = { headers: { ...type, ...headers }, ...rest }
      return () => message
    },
    ...rest
  }
}

/** The text again and again, up to `size` bytes. */
const fill = (text, size = MB) => Buffer.alloc(size, text)

/** `before`, the text as often as it fits, `after`: `size` bytes, or somewhat fewer. */
function wrap (before, text, after, size = MB) {
  const times = Math.floor((size - before.length - after.length) / Buffer.byteLength(text))
  return Buffer.from(before + text.repeat(times) + after)
}

/** The numbered texts with commas (or `separator`) between, as many as fit. */
function list (before, textOf, after, { size = MB, separator = ',' } = {}) {
  const texts = []
  let length = before.length + after.length
  for (let index = 0; ; index++) {
    const text = textOf(index)
    length += text.length + separator.length
    if (length > size) break
    texts.push(text)
  }
  return Buffer.from(before + texts.join(separator) + after)
}

module.exports = { attackOn, fill, list, MB, wrap }
