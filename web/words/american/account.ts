// Words of sign-in, registration and the account pages in American English.
import * as english from '../english/account.ts'

export const account: typeof english.account = {
  ...english.account,
  checkMailNext: [
    'Open the link in it within 24 hours and press the button.',
    'An administrator will then review your request. This may take a day or two.',
    'Nothing has arrived? Check your spam folder, and check that the address is spelled correctly.',
  ],
  sessionsLead: 'If you do not recognize one of these, end it and change your password.',
}
