'use strict'

// What JSON.parse rounds, as it was sent: the third argument of a reviver has
// the text of each number (Node.js 22 and newer; Bun, Deno). Big integers become
// BigInts, and numbers with a fraction decimals, which add up exactly.

const express = require('express')
const bodyParser = require('fast-body-parser')

/** A decimal: `units` times 10 ** -scale. */
class Decimal {
  constructor (units, scale) {
    this.units = units
    this.scale = scale
  }

  static parse (text) {
    const [whole, fraction = ''] = text.split('.')
    return new Decimal(BigInt(whole + fraction), fraction.length)
  }

  plus (other) {
    const scale = Math.max(this.scale, other.scale)
    const unitsOf = (decimal) => decimal.units * 10n ** BigInt(scale - decimal.scale)
    return new Decimal(unitsOf(this) + unitsOf(other), scale)
  }

  toString () {
    const digits = String(this.units).replace('-', '').padStart(this.scale + 1, '0')
    const sign = this.units < 0n ? '-' : ''
    return this.scale === 0 ? sign + digits : `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`
  }
}

function reviver (key, value, context) {
  const source = context?.source // undefined on Node.js 20, and for objects and arrays
  if (typeof value !== 'number' || source === undefined) return value
  if (/^-?\d+\.\d+$/.test(source)) return Decimal.parse(source)
  if (/^-?\d+$/.test(source) && !Number.isSafeInteger(value)) return BigInt(source)
  return value // an integer, or one with an exponent
}

const app = express()

app.use(bodyParser.json({ reviver }))

app.use((req, res) => {
  const { id, amounts } = req.body
  const total = amounts.map((amount) => amount instanceof Decimal ? amount : Decimal.parse(String(amount))).reduce((sum, amount) => sum.plus(amount))
  res.json({ id: String(id), total: String(total) })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"id":12345678901234567890,"amounts":[0.1,0.2,10]}'`)
  })
}
