'use strict'

// Bodies of a given size, by default 1 MB.

const MB = 2 ** 20 // bytes

/** The text again and again, up to `size` bytes. */
function fill (text, size = MB) {
  return Buffer.alloc(size, text)
}

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

module.exports = { fill, list, MB, wrap }
