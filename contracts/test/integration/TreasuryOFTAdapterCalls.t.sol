// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BaseTest} from "../helpers/BaseTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryOFTAdapter} from "src/bridge/TreasuryOFTAdapter.sol";

/// @notice Exposes the two halves of a transfer, so that each can be called alone.
contract ExposedTreasuryOFTAdapter is TreasuryOFTAdapter {
    constructor(address treasury, address lzEndpoint, address owner_)
        TreasuryOFTAdapter(treasury, lzEndpoint, owner_)
    {}

    function debit(address from, uint256 amountLD, uint256 minAmountLD, uint32 dstEid)
        external
        returns (uint256 amountSentLD, uint256 amountReceivedLD)
    {
        return _debit(from, amountLD, minAmountLD, dstEid);
    }

    function credit(address to, uint256 amountLD, uint32 srcEid) external returns (uint256 amountReceivedLD) {
        return _credit(to, amountLD, srcEid);
    }
}

/// @notice Tests each half of a bridge transfer alone. The tests across two endpoints are in `unit/bridge`; they
/// compile only with the optimizer, so coverage leaves them out.
contract TreasuryOFTAdapterCallsTest is BaseTest {
    uint32 private constant EID = 30_101;

    Treasury private treasury;
    ExposedTreasuryOFTAdapter private adapter;
    address private immutable HOLDER = makeAddr("holder");

    function setUp() public {
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(this)));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        // The constructor registers its delegate at the endpoint, and no other call here reaches it. The endpoint's
        // code is STOP.
        address endpoint = makeAddr("endpoint");
        vm.etch(endpoint, hex"00");
        adapter = new ExposedTreasuryOFTAdapter(address(treasury), endpoint, address(this));
        treasury.grantRole(treasury.OPERATOR_ROLE(), address(this));
        treasury.addBridge(address(adapter));
        adapter.credit(HOLDER, 100e18, EID);
    }

    function test_Debit_BurnsWhatAMessageCarries_FromTheAllowance() public {
        assertTrue(adapter.approvalRequired());
        vm.prank(HOLDER);
        treasury.approve(address(adapter), 50e18);
        // Messages carry six decimals, so the last twelve digits stay behind.
        (uint256 sent, uint256 received) = adapter.debit(HOLDER, 10e18 + 123_456_789_012, 10e18, EID);
        assertEq(sent, 10e18);
        assertEq(received, 10e18);
        assertEq(treasury.balanceOf(HOLDER), 90e18);
        assertEq(treasury.totalSupply(), 90e18);
        assertEq(treasury.allowance(HOLDER, address(adapter)), 40e18);
    }

    function test_Credit_MintsToTheReceiver_AndForZeroToTheDeadAddress() public {
        assertEq(adapter.credit(HOLDER, 1e18, EID), 1e18);
        assertEq(treasury.balanceOf(HOLDER), 101e18);
        assertEq(adapter.credit(address(0), 2e18, EID), 2e18);
        assertEq(treasury.balanceOf(adapter.DEAD()), 2e18);
    }

    function test_Ownership_PassesOnAcceptanceAlone() public {
        adapter.transferOwnership(HOLDER);
        assertEq(adapter.owner(), address(this));
        vm.prank(HOLDER);
        adapter.acceptOwnership();
        assertEq(adapter.owner(), HOLDER);
    }
}
