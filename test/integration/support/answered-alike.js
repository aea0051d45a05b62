'use strict'

// Requests that both programs of a section of docs/migrating.md answer alike, which the page leaves out: the request
// and the answer, each as a cell of the table there.

module.exports = {
  'express-fileupload': [
    ['`POST multipart/form-data title=me`', '`{"title":"me"}`'],
    ['`POST multipart/form-data address[city]=X`', '`{"address":{"city":"X"}}`'],
    ['`POST application/json {"title":"me"}`', '`{"title":"me"}`'],
    ['`POST text/plain hi`', '`{}`'],
    ['`POST multipart/form-data`, 2000 KB', '`{"name":"a.txt", "type":"text/plain", "size":2048000}`'],
    ['`POST multipart/form-data`, 2049 KB', '413']
  ],
  'express.json()': [
    ['`POST application/json {"a":1}`, gzip', '`["{\\"a\\":1}",{"a":1}]`'],
    ['`POST application/json`, 2 KB', '413'],
    ['`GET`', '`[null,null]`']
  ],
  formidable: [
    ['`POST multipart/form-data title=me`', '`{"title":"me"}`'],
    ['`POST application/json {"title":"me"}`', '`{"title":"me"}`'],
    ['`POST application/x-www-form-urlencoded title=me`', '`{"title":"me"}`'],
    ['`POST`', '`{}`'],
    ['`POST multipart/form-data avatar=@é.txt:hi`', '`{"name":"é.txt", "type":"text/plain", "size":2}`'],
    ['`POST multipart/form-data`, 2000 KB', '`{"name":"a.txt", "type":"text/plain", "size":2048000}`']
  ],
  'koa-bodyparser': [
    ['`POST application/vnd.api+json {"a":1}`', '`{"a":1}`'],
    ['`POST application/csp-report {"a":1}`', '`{"a":1}`'],
    ['`POST application/json {"__proto__":1}`', '400'],
    ['`POST application/json`, 1024 KB', 'as sent'],
    ['`POST application/json`, 1025 KB', '413'],
    ['`POST application/reports+json [1]`', '`[1]`'],
    ['`POST application/x-www-form-urlencoded a[b]=1`', '`{"a":{"b":"1"}}`'],
    ['`POST application/x-www-form-urlencoded`, 57 KB', '413']
  ],
  'How do I rewrite a route for multipart()?': [
    ['`POST multipart/form-data title=me`', '`{"title":"me"}`'],
    ['`POST multipart/form-data tags[]=a&tags[]=b&address[city]=X`', '`{"tags":["a", "b"], "address":{"city":"X"}}`'],
    ['`POST application/json {"title":"me"}`', '`{"title":"me"}`'],
    ['`POST text/plain hi`', '`{}`'],
    ['`POST multipart/form-data`, 2000 KB', '`{"name":"a.txt", "type":"text/plain", "size":2048000}`']
  ],
  split2: [
    ['`POST application/x-ndjson 1\\n2`', '`3`'],
    ['`POST`', '`0`']
  ]
}
