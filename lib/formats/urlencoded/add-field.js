'use strict'

const define = require('../../json-keys/define')

/** Adds a field as qs does: a name that occurs again makes an array. */
function addField (form, name, value) {
  if (name === '' || name === '__proto__') return
  const present = form[name]
  if (present === undefined || !Object.hasOwn(form, name)) define(form, name, value)
  else if (typeof present === 'string') form[name] = [present, value]
  else present.push(value)
}

module.exports = addField
