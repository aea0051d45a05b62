'use strict'

/** @returns {string} text for SVG, between tags or in quotes that it does not have */
module.exports = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
