/** The port of work: the whole contract on this machine, and of a team what a database decides. The soak has the rest. */
import { localWorkPorts, teamKeeper } from '../support/work-ports.ts';
import { keepsContract } from './work-contract.ts';

keepsContract({ title: 'Work of this machine', setUp: localWorkPorts });
keepsContract(teamKeeper, [
	'has each key once until its job has ended',
	'has each job carried out by one worker of many hosts',
	'parks a job while a person is asked, and goes on with the answer in any host',
	'hands the job of a killed worker to another one, and says that it is a further attempt',
]);
