'use strict'

// An interceptor for NestJS: a handler with @UseInterceptors(StreamedFiles({ ... })) gets the fields in `req.body`, and
// `req.files` as a loop over the files, of which nothing is in memory or on disk.

const bodyParser = require('fast-body-parser')

function StreamedFiles (options) {
  const parser = bodyParser.multipart({ ...options, store: 'stream' })

  class StreamedFilesInterceptor {
    async intercept (context, next) {
      const http = context.switchToHttp()
      await parser.read(http.getRequest(), http.getResponse())
      return next.handle()
    }
  }

  return StreamedFilesInterceptor
}

module.exports = StreamedFiles
