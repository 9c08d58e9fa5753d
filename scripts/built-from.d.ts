export declare function markBuilt(dist: string, root?: string): void;
export declare function unmarkBuilt(dist: string): void;
export declare function isBuilt(dist: string, root?: string): boolean;
