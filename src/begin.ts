import { sendFirstCall } from './api/first-call.ts'

sendFirstCall()
