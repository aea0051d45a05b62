'use strict'

const { parse } = require('lossless-json')

/** Parses JSON without the engine, which may read it wrong. @param {string} text @returns {any} */
module.exports = (text) => parse(text, null, { parseNumber: Number, onDuplicateKey: ({ newValue }) => newValue })
