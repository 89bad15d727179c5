import { teamKeeper } from '../support/work-ports.ts';
import { keepsContract } from './work-contract.ts';

keepsContract({ ...teamKeeper, title: 'soak: work of a team' });
