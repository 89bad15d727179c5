/** A host that kills itself in the middle of its work. */

/** Options of Node with which a host kills itself when it sends that request to its server, or has the answer. */
export function killedAt(method: string, moment: 'request' | 'answer'): string {
	const code = `
		import { ChildProcess } from 'node:child_process';
		const { spawn } = ChildProcess.prototype;
		const die = () => process.kill(process.pid, 'SIGKILL');
		ChildProcess.prototype.spawn = function (...given) {
			const started = spawn.apply(this, given);
			const { send } = this;
			if (send !== undefined) {
				this.send = function (message, ...rest) {
					if (message?.method === '${method}') {
						if ('${moment}' === 'request') die();
						this.prependListener('message', ({ id }) => id === message.id && die());
					}
					return send.call(this, message, ...rest);
				};
			}
			return started;
		};`;
	return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
