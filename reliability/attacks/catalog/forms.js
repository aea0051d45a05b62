'use strict'

// Forms that are expensive to parse.

const { attackOn, fill, list, wrap } = require('./attack')

const TOO_MANY = ['413 parameters.too.many']
const TOO_DEEP = ['400 querystring.parse.rangeError']

/** On a parser of 1 MB of form. */
function attack (name, what, options, make, expect = ['200']) {
  return attackOn('urlencoded', () => ({ pieces: [make()] }), { name, what, options, expect })
}

const simple = { extended: false }
const extended = { extended: true }
const parameters = () => list('', (index) => `p${index % 100_000}=1`, '', { separator: '&' })

/** As many parameters as are allowed. */
const thousand = (textOf) => () => Buffer.from(Array.from({ length: 1000 }, (_, index) => textOf(index)).join('&'))

module.exports = [
  attack('form-parameters', '100,000 parameters', simple, parameters, TOO_MANY),
  attack('form-ampersands', 'a million ampersands', simple, () => fill('&'), TOO_MANY),
  attack('form-open-brackets', 'a million opening brackets', extended, () => wrap('a', '[', '=1')),
  attack('form-empty-brackets', 'half a million of []', extended, () => wrap('a', '[]', '=1'), TOO_DEEP),
  attack('form-deep', '350,000 levels', extended, () => wrap('a', '[b]', '=1'), TOO_DEEP),
  attack('form-deep-wide', '1,000 parameters of 32 levels', extended,
    thousand((index) => `a${'[b]'.repeat(31)}[${index}]=1`)),
  attack('form-sparse', '1,000 indices in the millions', extended,
    thousand((index) => `a[${index * 1_000_003}]=1`)),
  attack('form-proto', '1,000 x __proto__', extended,
    thousand((index) => `__proto__[a${index}]=1`)),
  attack('form-escapes', '350,000 escapes of one letter', simple, () => wrap('a=', '%41', '')),
  attack('form-bad-escapes', '1,000 values with a malformed end', simple,
    () => list('', () => `a=${'%41'.repeat(360)}%f`, '', { separator: '&' })),
  attack('form-entities', '80,000 numeric entities',
    { ...simple, interpretNumericEntities: true, charsetSentinel: true, defaultCharset: 'iso-8859-1' },
    () => wrap('a=', '%26%239786%3B', '')),
  attack('form-sentinels', '1,000 sentinels', { ...simple, charsetSentinel: true },
    thousand(() => 'utf8=%E2%9C%93'))
]
