'use strict'

/** Parser of body-parser -> the media type that it takes. */
module.exports = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded'
}
