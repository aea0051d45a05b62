import { answer } from './answer.mjs'
import { listen } from './listen.mjs'

listen(answer)
