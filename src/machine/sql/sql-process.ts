/** Entry of the process that runs one SQL job: it comes on standard input, the answer goes to standard output. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { readFileSync } from 'node:fs';
import { ERROR_CHARS } from './limits.ts';
import { runSql, type SqlAnswer, type SqlJob } from './run-sql.ts';

function answerSqlJob(): SqlAnswer {
	try {
		return runSql(JSON.parse(readFileSync(0, 'utf8')) as SqlJob);
	} catch (error) {
		const message = toErrorMessage(error);
		return { kind: 'error', message: message.slice(0, ERROR_CHARS) };
	}
}

process.stdout.write(JSON.stringify(answerSqlJob()));
