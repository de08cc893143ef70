//! stub
mod grammar;
