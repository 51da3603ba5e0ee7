// Stands for modules that a program here never uses. Firestore creates a number of its filters when it is loaded.
module.exports = { Integer: class {}, Md5: class {} };
