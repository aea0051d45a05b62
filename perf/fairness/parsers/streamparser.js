'use strict'

let JSONParser

async function parse (source) {
  JSONParser ??= require('@streamparser/json').JSONParser
  const parser = new JSONParser({ paths: ['$'] })
  let result
  parser.onValue = ({ value }) => { result = value }
  for await (const chunk of source) parser.write(chunk)
  return result
}

module.exports = { name: '@streamparser/json', package: '@streamparser/json', parse }
